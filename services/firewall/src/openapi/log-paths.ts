import { type StoredLog, storedLogs } from '../logs/columns.ts'
import { exampleEntryOf } from '../logs/example-entries.ts'
import { fieldSetOf, readOnlyFields } from '../logs/field-sets.ts'
import { operatorsOf } from '../logs/filters/operators.ts'
import { olderParametersOf } from '../logs/filters/read-older-parameters.ts'
import { logTypes } from '../logs/log-types.ts'
import {
  alwaysZeroOf,
  figuresOf,
  type StatisticsName,
  statistics,
  statisticsNames,
} from '../logs/stats/statistics.ts'
import type { LogType } from '../logs/types/log-type.ts'
import { exampleToken, jsonReply, reference, replySchema } from './bodies.ts'
import { inPascalCase } from './operations.ts'
import { fieldsParameter, pageParameters } from './parameters.ts'
import type { DescribedKinds } from './paths.ts'
import { type Schema, shownMembers } from './schemas.ts'

const text: Schema = { type: 'string' }

/**
 * Describes the addresses of the logs and of the statistics, to be merged into the service's OpenAPI document.
 *
 * @param root what stands before the addresses: "/restapi/v3.2"
 */
export function logPaths(root: string): DescribedKinds {
  const parts = [
    ...Array.from(storedLogs.values(), (log) => describeLog(log, root)),
    ...statisticsNames.map((name) => describeStatistics(name, root)),
  ]
  return {
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)),
    schemas: Object.assign({}, ...parts.map(({ schemas }) => schemas)),
  }
}

function describeLog(log: StoredLog, root: string): DescribedKinds {
  const type = inPascalCase(log.segment)
  const entry = `${inPascalCase(log.name)}LogEntry`
  const fields = fieldSetOf(log)
  const { description, neverWritten }: LogType = logTypes[log.name]
  const msg = neverWritten === undefined ? {} : { msg: { ...text, description: neverWritten } }
  const data = { type: 'object', additionalProperties: reference(entry) }
  const object = { type: 'string', const: log.title }
  const tags = [log.title]
  const example = exampleReply(log)
  const list = {
    200: jsonReply(
      'By id, newest first; `data` is left out when there are none.',
      replySchema(`${type}List`, { object, ...msg, data }, ['object', 'token']),
      example,
    ),
  }
  return {
    paths: {
      [`${root}/${log.segment}`]: {
        get: {
          operationId: `list${type}`,
          summary: `${description} Newest first, 20 unless asked for more.`,
          tags,
          parameters: [filtersParameter(log), fieldsParameter(fields), ...pageParameters],
          responses: list,
        },
      },
      [`${root}/${log.segment}/{entry_id}`]: {
        parameters: [
          { name: 'entry_id', in: 'path', required: true, description: 'Id of the entry.', schema: text },
        ],
        get: {
          operationId: `get${entry}`,
          summary: `Read one entry of the ${log.title.toLowerCase()}.`,
          tags,
          parameters: [fieldsParameter(fields)],
          responses: {
            200: jsonReply(
              'The entry, by its id.',
              replySchema(`${entry}ById`, { object, data }, ['object', 'data', 'token']),
              example,
            ),
          },
        },
      },
      [`${root}/logs/${log.segment}`]: {
        get: {
          operationId: `search${type}`,
          summary: `The ${log.title.toLowerCase()} as older clients search them.`,
          tags,
          parameters: [...olderParameters(log), fieldsParameter(fields), ...pageParameters],
          responses: list,
        },
      },
    },
    schemas: { [entry]: shownMembers(entry, fields) },
  }
}

function describeStatistics(name: StatisticsName, root: string): DescribedKinds {
  const { title, description } = statistics[name]
  const type = inPascalCase(name)
  const fields = readOnlyFields(title, figuresOf(name), descriptionsOf(name))
  const data = { type: 'object', properties: { [title]: reference(type) }, required: [title] }
  const figures = Object.fromEntries(figuresOf(name).map((figure) => [figure, '0']))
  return {
    paths: {
      [`${root}/stats/${name}`]: {
        get: {
          operationId: `get${type}`,
          summary: description,
          tags: ['Statistics'],
          parameters: [fieldsParameter(fields), ...(name === 'system-stats' ? [] : rangeParameters)],
          responses: {
            200: jsonReply(
              'The figures.',
              replySchema(`${type}Reply`, { object: { type: 'string', const: title }, data }, [
                'object',
                'data',
                'token',
              ]),
              { object: title, data: { [title]: figures }, token: exampleToken },
            ),
          },
        },
      },
    },
    schemas: { [type]: shownMembers(type, fields) },
  }
}

function descriptionsOf(name: StatisticsName): Readonly<Record<string, string>> {
  const reasons = Object.entries(alwaysZeroOf(name))
  return Object.fromEntries(reasons.map(([figure, reason]) => [figure, `Always 0: ${reason}`]))
}

function exampleReply(log: StoredLog): object {
  const entry = exampleEntryOf(log)
  return { object: log.title, data: { [entry.id ?? '']: entry }, token: exampleToken }
}

/** The parameter `filters`: a JSON text, each field with the operators that it takes. */
function filtersParameter(log: StoredLog): Schema {
  const filters = [...log.fields]
    .filter(([, of]) => of !== 'shown')
    .map(([field, of]) => ({
      type: 'object',
      properties: {
        field: { const: field },
        operators: { type: 'string', enum: operatorsOf[of] },
        values: { type: 'array', items: text },
      },
      required: ['field', 'operators', 'values'],
    }))
  return {
    name: 'filters',
    in: 'query',
    description: 'A JSON array of filters, all of which have to hold.',
    content: {
      'application/json': {
        schema: { type: 'array', items: { anyOf: filters } },
        example: [{ field: 'id', operators: operatorsOf.text[0], values: ['19bf3a5c8e1'] }],
      },
    },
  }
}

function olderParameters(log: StoredLog): Schema[] {
  return olderParametersOf(log).map((name) => ({ name, in: 'query', schema: text }))
}

const rangeParameters: readonly Schema[] = [
  { name: 'service', in: 'query', description: 'One service; all when left out.', schema: text },
  {
    name: 'minutes',
    in: 'query',
    description: 'This minute and those before it, so many in all; everything ever counted when left out.',
    schema: { type: 'integer', minimum: 1 },
  },
]
