export { type Libinjection, libinjection } from './libinjection/libinjection.ts'
export { operators } from './operators/index.ts'
export {
  type Operator,
  OperatorArgumentError,
  type OperatorContext,
  type OperatorFactory,
  type OperatorMatch,
} from './operators/operator.ts'
export {
  compilePattern,
  type LiteralSet,
  type Pattern,
  type PatternMatch,
  PatternNotConvertible,
} from './pattern.ts'
export { type Prefilter, PrefilterBuilder } from './prefilter/prefilter.ts'
export { featuresOf } from './transformations/features.ts'
export { transformations, urlDecodeUniWith } from './transformations/index.ts'
export type { Transformation } from './transformations/transformation.ts'
export { readUnicodeMap, type UnicodeMap } from './transformations/url.ts'
