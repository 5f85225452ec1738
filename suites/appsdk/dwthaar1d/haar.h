/* Device side: one step of the Haar transform on a pair of neighbours. */
#define INV_SQRT2 0.70710678118654752440f

inline float haar_average(const float a, const float b) { return (a + b) * INV_SQRT2; }
inline float haar_detail(const float a, const float b) { return (a - b) * INV_SQRT2; }
