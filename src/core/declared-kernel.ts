/**
 * That a function is computed by the kernel of this name where an engine has it. It goes with the function and not with the object that
 * holds both: a copy of the object with another function has no kernel.
 */
export interface DeclaredKernel<Name extends string, F> {
  readonly name: Name
  readonly computes: F
}

/** The name of the kernel that computes a function, if this declares one. */
export function kernelFor<Name extends string, F>(declared: DeclaredKernel<Name, F> | undefined, computes: F): Name | undefined {
  return declared?.computes === computes ? declared.name : undefined
}
