/**
 * The statistics that are kept of each point: six 32-bit floats each, those of four points side by side, and where each four begin. The entropy Σ Pₖℓₖ, the worst loss, the
 * chance that the likeliest class is wrong, how far it is ahead of the next, √Σ Pₖℓₖ², and (1 − Σ Pₖ²)/K or, with quadratic forms, what a label would remove of the variance.
 */
export const entropyAt: usize = 0
export const worstAt: usize = 16
export const wrongAt: usize = 32
export const marginAt: usize = 48
export const rootMeanSquareAt: usize = 64
export const variationAt: usize = 80
export const bytesOfFour: usize = 96
