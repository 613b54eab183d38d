import type {
  SnapshotInputPattern,
  SnapshotParameterProfile,
  SnapshotValueChecks,
} from '@palisade/proxy-protocol'
import type { Argument } from '@palisade/seclang'
import { textOfBytes } from '../../exchange/text-of-bytes.ts'
import { shownName } from '../../logs/shown-name.ts'
import { BoundedExpression } from '../../patterns/bounded-expression.ts'
import { type TextTest, wildcard } from '../../patterns/wildcard.ts'
import { attackOfPattern, PatternSearch } from '../../policy/attack-patterns.ts'
import { hasCheckDigits } from '../../policy/check-digits.ts'
import { dangerOf, type ReceivedFile } from './file-contents.ts'
import type { FormParts } from './request-parts.ts'

/** Something that a request must not be like. */
export interface Finding {
  readonly attack: string
  readonly detail: string
  /** Whether it is logged only. */
  readonly isPassive: boolean
}

/** What the values of some parameters may be, ready to be asked. */
export class ValueChecks {
  readonly #checks: SnapshotValueChecks
  readonly #patterns: PatternSearch
  readonly #allowed: readonly TextTest[]
  readonly #refused: readonly TextTest[]
  readonly #shapes: readonly TextTest[]
  readonly #values: ReadonlySet<string> | undefined
  readonly #denied: RegExp | undefined
  /** Whether only length and characters are looked at. */
  readonly #isPlain: boolean

  constructor(
    checks: SnapshotValueChecks &
      Partial<Pick<SnapshotParameterProfile, 'shapes' | 'inputPatterns' | 'values'>>,
  ) {
    this.#checks = checks
    this.#patterns = new PatternSearch(checks.attackTypes.patterns)
    this.#allowed = checks.uploads.allowed.map((one) => wildcard(one))
    this.#refused = (checks.uploads.refused ?? []).map((one) => wildcard(one))
    const shapes = checks.shapes?.map((regex) => ({ regex, isCaseSensitive: true }))
    this.#shapes = (checks.inputPatterns ?? shapes ?? []).map(shapeTest)
    this.#values = checks.values && new Set(checks.values)
    this.#denied = anyOf(checks.deniedCharacters)
    this.#isPlain = this.#patterns.isEmpty && this.#shapes.length === 0 && this.#values === undefined
  }

  get instancesMax(): number | undefined {
    return this.#checks.instances
  }

  /** Whether a parameter is nothing to be looked at closely; most are. */
  isHarmless({ value }: Argument): boolean {
    const { valueCharacters } = this.#checks
    const isShort = valueCharacters === 0 || value.length <= valueCharacters
    return this.#isPlain && isShort && this.#denied?.test(value) !== true
  }

  *findings(argument: Argument): Generator<Finding> {
    yield* this.valueFindings(argument)
    yield* this.nameFindings(argument.name)
  }

  /** @param name as it is to be told of */
  *valueFindings({ name, value }: Argument): Generator<Finding> {
    const { valueCharacters, decodesBase64 } = this.#checks
    const shown = shownParameter(name)
    if (valueCharacters > 0 && value.length > valueCharacters) {
      const detail = `${shown} has ${value.length} characters; ${valueCharacters} are allowed.`
      yield finding('parameter-value-length-exceeded', detail)
    }
    if (this.#denied?.test(value)) {
      yield finding('metacharacter-in-parameter', `${shown} has a character that is denied.`)
    }
    if (!this.#looksRight(value)) {
      yield finding('parameter-input-validation-failed', `The value of ${shown} is none that it may have.`)
    }
    yield* this.#attacksIn(value, shown)
    if (decodesBase64) yield* this.#attacksIn(base64Decoded(value), `What ${shown} is in Base64`)
  }

  *nameFindings(name: string): Generator<Finding> {
    if (this.#checks.checksNames) yield* this.#attacksIn(name, `The name ${shownParameter(name)}`)
  }

  *fileFindings(file: FormParts['files'][number]): Generator<Finding> {
    const { by, fileBytes } = this.#checks.uploads
    const shown = `The file of ${shownParameter(file.field)}`
    const [, extension = ''] = /\.([^.]*)$/.exec(file.fileName) ?? []
    if (file.fileName === '' && file.content === '') return
    const declared = by === 'type' ? file.type : extension
    const all = by === 'type' ? [declared] : extensionsOf(file.fileName)
    const isRefused = all.some((one) => this.#refused.some((fits) => fits(one)))
    if (isRefused || !this.#allowed.some((fits) => fits(declared))) {
      yield finding('forbidden-file-extension', `${shown} is of a ${by} that is not allowed.`)
    }
    if (fileBytes !== undefined && file.content.length > fileBytes) {
      const detail = `${shown} has ${file.content.length} bytes; ${fileBytes} are allowed.`
      yield finding('file-upload-size-exceeded', detail)
    }
    yield* dangerFindings(shown, file)
  }

  #looksRight(value: string): boolean {
    if (value === '') return true
    const text = textOfBytes(value)
    if (this.#values?.has(text) === false) return false
    return this.#shapes.length === 0 || this.#shapes.some((fits) => fits(text))
  }

  *#attacksIn(text: string, shown: string): Generator<Finding> {
    if (this.#patterns.isEmpty || text === '') return
    const pattern = this.#patterns.firstIn(text)
    if (pattern === undefined) return
    const detail = `${shown} has what the pattern ${pattern.name} looks for.`
    yield finding(attackOfPattern(pattern, 'parameter'), detail, pattern.isPassive)
  }
}

/** Whether a text is like the pattern, and its digits a number with the right check digit where one is asked for. */
function shapeTest({ checkDigits, ...pattern }: SnapshotInputPattern): TextTest {
  const expression = new BoundedExpression(pattern.regex, pattern)
  return (text) => expression.test(text) && (checkDigits === undefined || hasCheckDigits(checkDigits, text))
}

/** What is wrong with the content of a file. @param shown what a sentence about it begins with */
export function* dangerFindings(shown: string, file: ReceivedFile): Generator<Finding> {
  const danger = dangerOf(file)
  if (danger !== undefined) yield finding('forbidden-file-extension', `${shown} ${danger}.`)
}

function finding(attack: string, detail: string, isPassive = false): Finding {
  return { attack, detail, isPassive }
}

/**
 * All extensions of a file name, as any server could read it: some take each of several (`a.php.jpg`), or overlook what stands
 * behind one (`a.asp;.jpg`, `a.php%00.jpg`, `a.aspx::$DATA`, "a.jsp ").
 */
function extensionsOf(fileName: string): string[] {
  return fileName
    .split('.')
    .slice(1)
    .map((extension) => extension.replace(/(?:[;:\0/\\]|%00).*$/s, '').replace(/(?<! ) +$/, ''))
}

/** An expression for any of these characters; undefined for none. */
function anyOf(characters: string): RegExp | undefined {
  if (characters === '') return undefined
  const codes = Array.from(characters, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return new RegExp(`[${codes.join('')}]`)
}

/** A parameter as logs name it. */
export function shownParameter(name: string): string {
  return `The parameter "${shownName(name)}"`
}

/** Empty for what is no Base64. */
function base64Decoded(value: string): string {
  const isBase64 = value.length >= 8 && /^[\w+/-]+={0,2}$/.test(value)
  return isBase64 ? Buffer.from(value, 'base64').toString('latin1') : ''
}
