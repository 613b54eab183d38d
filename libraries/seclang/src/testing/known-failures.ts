/**
 * Regression cases of the Core Rule Set 3.3.4 that do not pass, by title, with the reason. The list only gets shorter: a case in
 * it that passes fails the test until it is taken out.
 */
export const knownFailures: Readonly<Record<string, string>> = {}
