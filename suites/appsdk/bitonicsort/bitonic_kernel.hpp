#pragma once

// One pass of one stage: work-item i compares and exchanges the i-th pair of elements that are `distance` apart.
inline constexpr const char* bitonic_source = R"CLC(
__kernel void bitonic_pass(__global uint *keys, const uint stage, const uint pass, const uint ascending)
{
    const uint i = get_global_id(0);
    const uint distance = 1u << (stage - pass);
    const uint left = (i / distance) * distance * 2 + i % distance;
    const uint right = left + distance;

    // blocks of 2^stage pairs alternate between the two directions
    const uint upwards = ((i >> stage) & 1u) ? !ascending : ascending;

    const uint a = keys[left];
    const uint b = keys[right];
    const uint lesser = min(a, b);
    const uint greater = max(a, b);
    keys[left] = upwards ? lesser : greater;
    keys[right] = upwards ? greater : lesser;
}
)CLC";
