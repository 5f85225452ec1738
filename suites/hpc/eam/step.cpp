#include "step.hpp"

EamStep::EamStep(DeviceContext& device, const Crystal& crystal, const NeighbourList& lists, const Tables& tables,
                 float cutoff)
    : device_(device),
      program_(device.build({"tables.cl", "eam.cl"})),
      atoms_(crystal.size()),
      params_{crystal.box, cutoff, tables.entries_per_r, tables.entries_per_rho, tables.entries},
      position_(device.copy_of(crystal.positions)),
      start_(device.copy_of(lists.start)),
      list_(device.copy_of(lists.list)),
      density_table_(device.copy_of(tables.density)),
      pair_table_(device.copy_of(tables.pair)),
      embedding_table_(device.copy_of(tables.embedding)),
      rho_(device.allocate(atoms_ * sizeof(cl_float))),
      embedding_(device.allocate(atoms_ * sizeof(cl_float2))),
      force_(device.allocate(atoms_ * sizeof(cl_float4))) {}

EamStep::~EamStep() { clReleaseProgram(program_); }

double EamStep::run() {
  for (const DeviceBuffer& output : {rho_, embedding_, force_}) device_.fill_with_nan(output);

  KernelCall density(program_, "eam_density");
  density << position_ << start_ << list_ << density_table_ << rho_ << atoms_ << params_;
  KernelCall embed(program_, "eam_embed");
  embed << rho_ << embedding_table_ << embedding_ << atoms_ << params_;
  KernelCall force(program_, "eam_force");
  force << position_ << start_ << list_ << density_table_ << pair_table_ << embedding_ << force_ << atoms_ << params_;

  double ms = device_.run(density.get(), atoms_);
  ms += device_.run(embed.get(), atoms_);
  ms += device_.run(force.get(), atoms_);
  return ms;
}

StepResult EamStep::result() { return {device_.read<float>(rho_), device_.read<std::array<float, 4>>(force_)}; }
