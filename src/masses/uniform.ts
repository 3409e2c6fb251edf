import { withKernel } from './mass.ts'

/** 1 for every point. Alone it is simple random sampling; in a mixture it is the floor that keeps weights small. */
export const uniformMass = withKernel('uniform', { name: 'uniform', value: () => 1, express: () => 1 })
