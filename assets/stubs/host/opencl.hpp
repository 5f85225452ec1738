// OpenCL's C++ interface as far as reading host code needs it, for machines without the Khronos headers. Constructors
// and methods take anything: what their arguments mean is known by position.
#pragma once
#include <CL/cl.h>
#include <string>
#include <utility>
#include <vector>
namespace cl {
template <class T>
using vector = std::vector<T>;
typedef std::string STRING_CLASS;
struct Any {
  template <class T>
  operator T() const;
};
class Error {
 public:
  cl_int err() const;
  const char* what() const;
};
#define HONE_HANDLE(Name, Handle)                  \
  class Name {                                     \
   public:                                         \
    template <class... A>                          \
    Name(A&&...);                                  \
    Handle operator()() const;                     \
    Handle get() const;                            \
    template <cl_int what, class... A>             \
    Any getInfo(A&&...) const;                     \
    template <class... A>                          \
    cl_int getInfo(cl_uint, A&&...) const;         \
  };
class NDRange {
 public:
  NDRange();
  NDRange(size_t);
  NDRange(size_t, size_t);
  NDRange(size_t, size_t, size_t);
};
static const NDRange NullRange;
HONE_HANDLE(Device, cl_device_id)
class Platform {
 public:
  static cl_int get(std::vector<Platform>*);
  static Platform getDefault();
  cl_int getDevices(cl_device_type, std::vector<Device>*) const;
  cl_platform_id operator()() const;
  template <cl_int what, class... A>
  std::string getInfo(A&&...) const;
};
class Context {
 public:
  template <class... A>
  Context(A&&...);
  static Context getDefault();
  cl_context operator()() const;
  template <cl_int what, class... A>
  std::vector<Device> getInfo(A&&...) const;
};
HONE_HANDLE(Event, cl_event)
HONE_HANDLE(Memory, cl_mem)
HONE_HANDLE(Buffer, cl_mem)
HONE_HANDLE(Image2D, cl_mem)
HONE_HANDLE(Image3D, cl_mem)
HONE_HANDLE(Sampler, cl_sampler)
struct ImageFormat {
  ImageFormat(cl_channel_order, cl_channel_type);
};
struct LocalSpaceArg {
  size_t size_;
};
LocalSpaceArg Local(size_t);
LocalSpaceArg __local(size_t);
class Program {
 public:
  typedef std::vector<std::string> Sources;
  template <class... A>
  Program(A&&...);
  template <class... A>
  cl_int build(A&&...) const;
  template <cl_int what, class... A>
  std::string getBuildInfo(A&&...) const;
  cl_program operator()() const;
};
class Kernel {
 public:
  template <class... A>
  Kernel(A&&...);
  template <class... A>
  cl_int setArg(cl_uint, A&&...);
  cl_kernel operator()() const;
  template <cl_int what, class... A>
  size_t getWorkGroupInfo(A&&...) const;
};
class CommandQueue {
 public:
  template <class... A>
  CommandQueue(A&&...);
  static CommandQueue getDefault();
  cl_command_queue operator()() const;
#define HONE_ENQUEUE(name) \
  template <class... A>    \
  cl_int name(A&&...) const;
  HONE_ENQUEUE(enqueueNDRangeKernel) HONE_ENQUEUE(enqueueTask) HONE_ENQUEUE(enqueueReadBuffer)
  HONE_ENQUEUE(enqueueWriteBuffer) HONE_ENQUEUE(enqueueCopyBuffer) HONE_ENQUEUE(enqueueFillBuffer)
  HONE_ENQUEUE(enqueueReadImage) HONE_ENQUEUE(enqueueWriteImage) HONE_ENQUEUE(enqueueUnmapMemObject)
  HONE_ENQUEUE(finish) HONE_ENQUEUE(flush)
  template <class... A>
  void* enqueueMapBuffer(A&&...) const;
};
class EnqueueArgs {
 public:
  template <class... A>
  EnqueueArgs(A&&...);
};
template <class... T>
class KernelFunctor {
 public:
  template <class... A>
  KernelFunctor(A&&...);
  template <class... A>
  Event operator()(const EnqueueArgs&, A&&...);
};
template <class... T>
class make_kernel : public KernelFunctor<T...> {
 public:
  using KernelFunctor<T...>::KernelFunctor;
};
template <class... A>
cl_int copy(A&&...);
}  // namespace cl
