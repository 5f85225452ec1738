#ifndef OPENCL_H
#define OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

struct session {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

/* The first OpenCL device. Any failure ends the program with a message. */
struct session session_open(void);
cl_program session_build(const struct session *session, const char *source);
cl_mem session_buffer(const struct session *session, cl_mem_flags flags, size_t bytes, void *contents);
void session_close(struct session *session);
/* Ends the program when an OpenCL call has failed. */
void must(cl_int status, const char *what);
/* Milliseconds between the start and the end of the command behind the event. */
double event_milliseconds(cl_event event);

#endif
