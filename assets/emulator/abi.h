// What a translated kernel and the engine that runs it agree on. Compiled into both: the engine includes this file, and
// the text of it stands in front of every translated kernel. No header of any library is needed.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

/// An allocation that an access was last found in. Each memory instruction has its own: most stay in one array.
struct HoneRange {
  u64 begin, end;
};

/// How memory that others see is touched. Silent: what is stored stands there already.
/// Strong: volatile, or with an order of its own.
enum HoneTouch : u32 { kHoneRead, kHoneWrite, kHoneSilentWrite, kHoneAtomic, kHoneStrongRead, kHoneCompareAndSwap };

enum HoneFault : u32 { kHoneAddress, kHoneAlignment, kHoneTrap, kHoneAssert };

/// What lanes of a warp do together.
enum HoneExchange : u32 {
  kHoneUp, kHoneDown, kHoneButterfly, kHoneIndex, kHoneAny, kHoneAll, kHoneUniform, kHoneBallot, kHoneMatchAny,
  kHoneMatchAll, kHoneWarpBarrier, kHoneSum, kHoneMinSigned, kHoneMinUnsigned, kHoneMaxSigned, kHoneMaxUnsigned,
  kHoneAnd, kHoneOr, kHoneXor
};

struct HoneThread;
struct HoneCalls {
  /// `threads` 0: all of the block.
  void (*barrier)(HoneThread*, u32 id, u32 threads);
  /// kind 0: how many, 1: all, 2: any.
  u32 (*barrier_reduce)(HoneThread*, u32 id, u32 threads, u32 kind, u32 value);
  /// Low half: the value; bit 32: the predicate.
  u64 (*exchange)(HoneThread*, u32 kind, u64 value, u32 a, u32 b, u32 mask);
  u32 (*active)(HoneThread*);
  void (*yield)(HoneThread*);
  /// Fills `range` with the allocation that holds the bytes; does not return when none does.
  void (*locate)(HoneThread*, u64 address, u32 bytes, HoneRange* range);
  void (*fault)(HoneThread*, u32 kind, u64 address, const char* words);
  int (*print)(HoneThread*, const char* format, const u8* arguments);
  /// Only of kernels that are watched for races.
  void (*touch)(HoneThread*, u64 address, u32 bytes, HoneTouch kind);
};

struct HoneThread {
  u32 tid[3], ntid[3], ctaid[3], nctaid[3];
  u32 linear, lane, warp, warps;
  u32 shared_bytes, dynamic_bytes;
  u8* params;
  u8* shared;
  HoneRange* ranges;
  const u64* symbols;
  const HoneCalls* calls;
  void* fiber;
};
