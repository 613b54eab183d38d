export type { RequestVariant } from './request-variants/request-variant.ts'
export { requestVariants } from './request-variants/request-variants.ts'
export { requestOf, sendRequest } from './request-variants/send-variant.ts'
export { solvedChallenge } from './solved-challenge.ts'
