import type { FastifyReply } from 'fastify'
import { type Body, readMembers } from '../changes/members.ts'
import { refuseProblems } from '../changes/plan.ts'
import { canonicalSpelling, type FieldSet } from '../kinds/field-set.ts'
import type { Value } from '../kinds/values.ts'
import type { AuditedAdministrator } from '../logs/audit-log.ts'
import { tokenOf } from '../rest/admission.ts'
import { sendMessage } from '../rest/replies.ts'
import type { Call } from '../rest/special-operation.ts'

/** What a body gives for the fields of an operation, with the defaults of those that it leaves out. */
export type OperationBody = Readonly<Record<string, Value | undefined>>

/**
 * Reads the body of an operation as bodies of objects are read: members in any spelling, values also as text.
 *
 * @param title what the fields belong to, for the sentences
 * @throws ConfigurationRefused not-acceptable, with every fault
 */
export function readOperationBody(body: Body, fields: FieldSet, title: string): OperationBody {
  const { values, problems } = readMembers(fields, title, body)
  const missing = Array.from(fields)
    .filter(({ name, field }) => field.required && values.get(name) === undefined)
    .map(({ name }) => ({ member: name, sentence: `The member ${name} is required.` }))
  refuseProblems(problems, missing)
  const pairs = [...values].filter(([, value]) => value !== undefined)
  return { ...fields.defaults, ...Object.fromEntries(pairs) }
}

/** Takes a member that is no field out of a body, in whatever spelling it is there. */
export function takeMember(body: Body, name: string): { readonly taken: unknown; readonly rest: Body } {
  const isTaken = ([member]: [string, unknown]) => canonicalSpelling(member) === name
  const members = Object.entries(body)
  return {
    taken: members.find(isTaken)?.[1],
    rest: Object.fromEntries(members.filter((member) => !isTaken(member))),
  }
}

/** The text of a value; empty when there is none. */
export function textOf(value: Value | undefined): string {
  return value === undefined ? '' : String(value)
}

/** Sends the members with a fresh token behind them. */
export function answer({ request, reply }: Call, members: object): FastifyReply {
  return sendMessage(reply, tokenOf(request), members)
}

/** Who calls, as the audit log has it. */
export function administratorOf({ author: { username, role, address } }: Call): AuditedAdministrator {
  return { admin: username, role, address }
}
