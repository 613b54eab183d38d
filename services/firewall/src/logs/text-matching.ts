import vm from 'node:vm'
import type { TextCondition } from './conditions.ts'

/**
 * How long the expressions of one search may work on one step of it, in milliseconds. Ordinary ones take 2 ms;
 * one that tries exponentially many ways would stop the whole server.
 */
const workMsMax = 100

/** The clock runs on while the machine does other things; what had less of the processor than this has not worked long. */
const workedLongMs = workMsMax / 2

const attemptsMax = 5

/** Thrown when an expression takes too long. */
export class ExpressionTooSlow extends Error {
  constructor() {
    super('a regular expression takes too long')
    this.name = 'ExpressionTooSlow'
  }
}

/** Says of each row whether it fulfils the condition. The virtual machine is what can stop an expression. */
const script = new vm.Script(
  'texts.map((text) => expressions.some((expression) => expression.test(text)) === expected)',
)

/**
 * The rows that fulfil every condition.
 *
 * @param textOf the field of a row as text
 * @throws ExpressionTooSlow
 */
export function rowsThatMatch<Row>(
  rows: readonly Row[],
  conditions: readonly TextCondition[],
  textOf: (row: Row, field: string) => string,
): readonly Row[] {
  return conditions.reduce<readonly Row[]>((left, { field, expressions, isNegated }) => {
    const texts = left.map((row) => textOf(row, field))
    const verdicts = verdictsOn({ texts, expressions, expected: !isNegated })
    return left.filter((_, index) => verdicts[index])
  }, rows)
}

function verdictsOn(options: {
  texts: readonly string[]
  expressions: readonly RegExp[]
  expected: boolean
}): readonly boolean[] {
  for (let attempt = 1; ; attempt++) {
    const before = process.threadCpuUsage()
    try {
      return script.runInNewContext({ ...options }, { timeout: workMsMax })
    } catch (error) {
      if (!isTimeout(error)) throw error
      const { user, system } = process.threadCpuUsage(before)
      if ((user + system) / 1000 > workedLongMs || attempt === attemptsMax) throw new ExpressionTooSlow()
    }
  }
}

/** The error is of the virtual machine's own making, and no instance of our Error. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}
