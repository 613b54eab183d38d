export type { InjectionDetector } from './injection-detector.ts'
export { operators } from './operators/index.ts'
export {
  matchLimitExceeded,
  type Operator,
  type OperatorContext,
  type OperatorMatch,
} from './operators/operator.ts'
export { compilePattern, type Pattern } from './pattern.ts'
export { type Prefilter, PrefilterBuilder } from './prefilter/prefilter.ts'
export { featuresOf } from './transformations/features.ts'
export { transformations, urlDecodeUniWith } from './transformations/index.ts'
export type { Transformation } from './transformations/transformation.ts'
export { readUnicodeMap, type UnicodeMap } from './transformations/url.ts'
