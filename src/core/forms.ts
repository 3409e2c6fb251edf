/** Features for which any engine computes quadratic forms and moments, at most: a query writes out the square of it, and every row costs as much. */
export const mostFormFeatures = 256
