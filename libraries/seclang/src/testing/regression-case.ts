import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

/** Where the Core Rule Set's regression cases lie: beside the repository, since they are data of others. */
export const casesFolder = resolve(import.meta.dirname, '../../../../../shared/crs-cases')

/** What a case sends, as its file says it. */
export interface CaseInput {
  readonly method?: string
  readonly uri?: string
  readonly version?: string
  readonly headers?: Readonly<Record<string, string | number | boolean | null>>
  readonly data?: string | readonly string[]
  /** The whole request, also in base64. */
  readonly raw_request?: string
  readonly encoded_request?: string
  /** Nothing is added to the headers and the data. */
  readonly stop_magic?: boolean
}

/** What a case expects. */
export interface CaseOutput {
  readonly log_contains?: string
  readonly no_log_contains?: string
  readonly status?: number | readonly number[]
  /** The server closes the connection without an answer. */
  readonly expect_error?: boolean
}

/** One request with what is expected of it. A case has one stage or several. */
export interface CaseStage {
  readonly input: CaseInput
  readonly output: CaseOutput
}

/** A regression case. */
export interface RegressionCase {
  /** `941110-7` */
  readonly title: string
  readonly stages: readonly CaseStage[]
}

interface CaseFile {
  readonly tests?: readonly {
    readonly test_title: string
    readonly stages: readonly { readonly stage: CaseStage }[]
  }[]
}

/** Whether the cases are there. */
export function hasRegressionCases(): boolean {
  return existsSync(casesFolder)
}

/** All cases of a folder, in the order of their files. */
export function readRegressionCases(folder: string): readonly RegressionCase[] {
  return globSync(join(folder, '**/*.yaml'))
    .sort()
    .flatMap((file) => (parse(readFileSync(file, 'utf8')) as CaseFile).tests ?? [])
    .map(({ test_title, stages }) => ({
      title: String(test_title),
      stages: stages.map(({ stage }) => stage),
    }))
}
