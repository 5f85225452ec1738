struct backend {
  int (*open)(struct backend *self);
  void *(*take)(struct backend *self, const float *data, int n);
  void (*scale)(struct backend *self, void *data, float by, int n);
  void *own;
};
extern struct backend gpu;
