export { type JsonLimits, parseJsonBody } from './bodies/json.ts'
export { extractJsonFiles, type JsonFileLimits, type JsonWithFiles } from './bodies/json-files.ts'
export type { JsonScalarKind } from './bodies/json-reader.ts'
export { type JsonVisitor, walkJson } from './bodies/json-walk.ts'
export { type MultipartLimits, parseMultipartBody } from './bodies/multipart/multipart.ts'
export type { MultipartFlags } from './bodies/multipart/multipart-flags.ts'
export type { Argument, ParsedBody, PartHeader, UploadedFile, XmlContents } from './bodies/parsed-body.ts'
export { parseUrlEncoded, type UrlEncoded } from './bodies/urlencoded.ts'
export type { CollectionChange, CollectionStorage, StoredVariable } from './collections/collection-storage.ts'
export { MemoryCollectionStorage } from './collections/memory-collection-storage.ts'
export type { InactiveRule, MissingMarker } from './compile/compile-rule-set.ts'
export type { RuleExclusion } from './compile/prepare-exclusions.ts'
export type { Transaction } from './engine/transaction.ts'
export type { Interruption, RuleMatch } from './inspection/outcome.ts'
export type { Phase } from './inspection/phase.ts'
export type { RuleExclusions } from './inspection/rule-exclusions.ts'
export type { RuleSource } from './language/parse-rule-files.ts'
export { type Position, RuleSetFailure } from './language/rule-set-failure.ts'
export type { LimitAction, RuleEngineMode, Settings } from './language/settings.ts'
export type { UnicodeMap } from './matching/index.ts'
export type { InjectionDetector } from './matching/injection-detector.ts'
export { enableLinearRegExpEngine, hasLinearRegExpEngine } from './matching/linear-engine.ts'
export {
  compilePattern,
  type LiteralSet,
  type Pattern,
  type PatternMatch,
  PatternNotConvertible,
} from './matching/pattern.ts'
export { readingsOf } from './readings/readings.ts'
export { withoutPercents } from './readings/written-encodings.ts'
export type { Connection, RequestHead, ResponseHead } from './request/messages.ts'
export { loadRuleSet, type RuleSet, type RuleSetOptions, type TransactionOptions } from './rule-set.ts'
