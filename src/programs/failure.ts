/** Makes the error of those who asked: what is required and what came, and what to do about it. */
export type Failing = (message: string, hint?: string) => Error
