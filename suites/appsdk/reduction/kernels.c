#include "kernels.h"

const char *reduce_source[reduce_pieces] = {
    /* what is reduced, and how */
    "typedef uint value_t;\n"
    "#define NEUTRAL 0u\n"
    "#define COMBINE(a, b) ((a) + (b))\n",

    /* a work-item's share: two values a work-group apart */
    "value_t load_two(__global const value_t *input, const uint first, const uint apart, const uint n)\n"
    "{\n"
    "    value_t mine = NEUTRAL;\n"
    "    if (first < n)\n"
    "        mine = input[first];\n"
    "    if (first + apart < n)\n"
    "        mine = COMBINE(mine, input[first + apart]);\n"
    "    return mine;\n"
    "}\n",

    /* the tree in local memory; one result for each work-group */
    "__kernel void reduce_sum(__global const value_t *input, __global value_t *output, const uint n,\n"
    "                         __local value_t *shared)\n"
    "{\n"
    "    const uint item = get_local_id(0);\n"
    "    const uint items = get_local_size(0);\n"
    "    const uint group = get_group_id(0);\n"
    "\n"
    "    shared[item] = load_two(input, group * items * 2 + item, items, n);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "\n"
    "    for (uint reach = items / 2; reach > 0; reach /= 2) {\n"
    "        if (item < reach)\n"
    "            shared[item] = COMBINE(shared[item], shared[item + reach]);\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "\n"
    "    if (item == 0)\n"
    "        output[group] = shared[0];\n"
    "}\n",
};
