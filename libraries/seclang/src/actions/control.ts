import type { Effect } from '../engine/rule.ts'
import { exclusionOf } from '../engine/target-list.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { byIds } from '../language/id-ranges.ts'
import { parseVariables } from '../language/parse-variables.ts'
import type { RuleEngineMode } from '../language/settings.ts'
import type { RuleSelection } from '../language/syntax.ts'
import type { SelectRulesLater } from './select-rules-later.ts'

/** Makes the effect of `ctl:name=value`. */
type Control = (value: string, selectRules: SelectRulesLater) => Effect

/** Nothing to do here: audit and debug logs are the caller's business. */
const noEffect: Control = () => () => {}

/** Says of an effect that variables which are read after it may give something else. */
function changingValues(effect: (inspection: Inspection) => void): Effect {
  return Object.assign(effect, { changesValues: true } as const)
}

const controls: ReadonlyMap<string, Control> = new Map<string, Control>([
  ['auditengine', noEffect],
  ['auditlogparts', noEffect],
  ['debugloglevel', noEffect],
  [
    'ruleengine',
    (value) => {
      const mode = ruleEngineMode(value)
      return (inspection) => {
        inspection.ruleEngine = mode
      }
    },
  ],
  [
    'requestbodyaccess',
    (value) => {
      const isOn = onOrOff(value)
      return (inspection) => {
        inspection.requestBodyAccess = isOn
      }
    },
  ],
  [
    'requestbodylimit',
    (value) => {
      const bytes = wholeNumber(value)
      return (inspection) => {
        inspection.requestBodyLimitBytes = bytes
      }
    },
  ],
  [
    'requestbodyprocessor',
    (value) => {
      const processor = bodyProcessor(value)
      return changingValues((inspection) => {
        inspection.bodyProcessor = processor
      })
    },
  ],
  [
    'forcerequestbodyvariable',
    (value) => {
      const isOn = onOrOff(value)
      return changingValues((inspection) => {
        inspection.forcesRequestBodyVariable = isOn
      })
    },
  ],
  [
    'responsebodyaccess',
    (value) => {
      const isOn = onOrOff(value)
      return (inspection) => {
        inspection.responseBodyAccess = isOn
      }
    },
  ],
  [
    'responsebodylimit',
    (value) => {
      const bytes = wholeNumber(value)
      return (inspection) => {
        inspection.responseBodyLimitBytes = bytes
      }
    },
  ],
  [
    'argumentslimit',
    (value) => {
      const count = wholeNumber(value)
      return changingValues((inspection) => {
        inspection.argumentsMax = count
      })
    },
  ],
  ['ruleremovebyid', removeRules(byIds)],
  ['ruleremovebytag', removeRules((pattern) => ({ by: 'tag', pattern }))],
  ['ruleremovebymsg', removeRules((pattern) => ({ by: 'message', pattern }))],
  ['ruleremovetargetbyid', removeTargets(byIds)],
  ['ruleremovetargetbytag', removeTargets((pattern) => ({ by: 'tag', pattern }))],
  ['ruleremovetargetbymsg', removeTargets((pattern) => ({ by: 'message', pattern }))],
])

/**
 * `ctl`: changes a setting for the rest of this transaction.
 *
 * @throws {Error} naming what was expected
 */
export function control(argument: string, selectRules: SelectRulesLater): Effect {
  const [, name = '', value = ''] = /^\s*([A-Za-z]+)\s*=\s*(.*)$/s.exec(argument) ?? []
  const make = controls.get(name.toLowerCase())
  if (make === undefined) throw new Error(`ctl: the setting "${argument}" is not known`)
  return make(value, selectRules)
}

function removeRules(select: (text: string) => RuleSelection): Control {
  return (value, selectRules) => {
    const rules = selectRules(select(value))
    return (inspection) => inspection.exclusions.removeRules(rules())
  }
}

function removeTargets(select: (text: string) => RuleSelection): Control {
  return (value, selectRules) => {
    const [, rules = '', target] = /^([^;]*);(.*)$/s.exec(value) ?? []
    if (target === undefined)
      throw new Error(`ctl: rules, a semicolon and a target were expected, not "${value}"`)
    const exclusions = parseVariables(target).map(exclusionOf)
    const selected = selectRules(select(rules))
    return (inspection) => {
      for (const exclusion of exclusions) inspection.exclusions.removeTarget(selected(), exclusion)
    }
  }
}

function onOrOff(value: string): boolean {
  if (/^on$/i.test(value)) return true
  if (/^off$/i.test(value)) return false
  throw new Error(`ctl: On or Off was expected, not "${value}"`)
}

function ruleEngineMode(value: string): RuleEngineMode {
  if (/^detectiononly$/i.test(value)) return 'detection-only'
  return onOrOff(value) ? 'on' : 'off'
}

function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new Error(`ctl: a whole number was expected, not "${value}"`)
  return Number(value)
}

function bodyProcessor(value: string): string {
  const processor = value.toUpperCase()
  if (['URLENCODED', 'MULTIPART', 'JSON', 'XML'].includes(processor)) return processor
  throw new Error(`ctl: URLENCODED, MULTIPART, JSON or XML was expected, not "${value}"`)
}
