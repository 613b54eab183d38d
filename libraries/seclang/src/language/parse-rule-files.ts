import { existsSync } from 'node:fs'
import { logicalLines } from './logical-lines.ts'
import { type Position, RuleSetFailure } from './rule-set-failure.ts'
import { directivesWithoutEffect, settingDirectives } from './setting-directives.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { includedFiles, readByteString } from './source-files.ts'
import { statementDirectives } from './statement-directives.ts'
import type { Statement } from './syntax.ts'
import { splitWords } from './words.ts'

/** Where rules come from: a file, or a text with a name for error messages (and for paths relative to it). */
export type RuleSource = { readonly file: string } | { readonly name: string; readonly text: string }

/** What rule files say. */
export interface RuleFiles {
  readonly settings: Readonly<Settings>
  /** In the order of the files and of the lines in them. */
  readonly statements: readonly Statement[]
}

/** Deeper than this an `Include` is taken for a circle. */
const includeDepthMax = 20

/**
 * Reads and parses rule sources in order.
 *
 * @throws {RuleSetFailure} at the first line that is not understood, with file and line
 */
export function parseRuleFiles(sources: readonly RuleSource[]): RuleFiles {
  const settings = defaultSettings()
  const statements: Statement[] = []
  for (const source of sources) {
    if ('file' in source) parseFile(source.file, 0, { file: source.file, line: 0 })
    else parseText(source.name, source.text, 0)
  }
  return { settings, statements }

  function parseFile(file: string, depth: number, includedAt: Position): void {
    if (depth > includeDepthMax)
      throw new RuleSetFailure(includedAt, 'Include: files include each other in a circle')
    parseText(file, readRuleFile(file, includedAt), depth)
  }

  function parseText(file: string, text: string, depth: number): void {
    for (const { text: line, line: number } of logicalLines(text))
      parseLine({ file, line: number }, line, depth)
  }

  function parseLine(at: Position, line: string, depth: number): void {
    const directive = /^\S+/.exec(line)?.[0] ?? ''
    try {
      const words = splitWords(line.slice(directive.length))
      const name = directive.toLowerCase()
      if (name === 'include' || name === 'includeoptional') {
        for (const file of filesToInclude(at.file, words, name === 'includeoptional'))
          parseFile(file, depth + 1, at)
        return
      }
      applyDirective(at, name, words)
    } catch (cause) {
      if (cause instanceof RuleSetFailure) throw cause
      const problem = cause instanceof Error ? cause.message : String(cause)
      throw new RuleSetFailure(at, `${directive}: ${problem}`, { cause })
    }
  }

  function applyDirective(at: Position, name: string, words: readonly string[]): void {
    const statement = statementDirectives.get(name)
    if (statement !== undefined) {
      statements.push(statement(at, words))
      return
    }
    const setting = settingDirectives.get(name)
    if (setting !== undefined) setting(settings, words, at)
    else if (!directivesWithoutEffect.has(name)) throw new Error('this directive is not known')
  }
}

function readRuleFile(file: string, at: Position): string {
  try {
    return readByteString(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new RuleSetFailure(at, `the rule file ${file} cannot be read: ${reason}`, { cause })
  }
}

function filesToInclude(file: string, words: readonly string[], isOptional: boolean): readonly string[] {
  const [pattern] = words
  if (pattern === undefined || words.length !== 1) throw new Error('one path was expected')
  const files = includedFiles(file, pattern)
  if (isOptional) return files.filter((included) => existsSync(included))
  if (files.length === 0) throw new Error(`no file is named as ${pattern}`)
  return files
}
