import { ApiError, Conflict } from '@palisade/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf, problemsByMember } from './check-value.ts'
import { type Done, useManagement } from './management.ts'
import { bodyOf, type Draft, type Fields, type Value } from './values.ts'

/** Where the changes of a form go. */
export interface Destination {
  readonly method: 'POST' | 'PUT'
  readonly address: string
  /** The version of the object that is changed. */
  readonly etag?: string | undefined
}

/** What becomes of the changes of a form. */
export interface FormState {
  readonly isSaving: boolean
  /** What is wrong, by field; under '' what is about none of them. */
  readonly problems: Readonly<Record<string, string>>
  readonly isConflict: boolean
  /** The reply of the last change. */
  readonly done: Done | undefined
  /** Checks a draft, and sends it when nothing is wrong with it as far as the contract says. */
  readonly save: (draft: Draft) => void
  /** Forgets what was said of a field: it was changed since. */
  readonly forget: (name: string) => void
}

/**
 * Sends changes, and keeps what the service says of them.
 *
 * @param onDone is told what was sent, and how the service answered
 */
export function useForm(
  fields: Fields,
  destination: Destination,
  onDone: (done: Done, sent: Readonly<Record<string, Value>>) => void,
): FormState {
  const management = useManagement()
  const queries = useQueryClient()
  const [found, setFound] = useState<Readonly<Record<string, string>>>({})
  const names = Object.keys(fields)
  const change = useMutation({
    mutationFn: (body: Readonly<Record<string, Value>>) =>
      management.change(destination.method, destination.address, body, destination.etag),
    async onSuccess(done, sent) {
      setFound({})
      await queries.invalidateQueries({ queryKey: ['firewall'] })
      onDone(done, sent)
    },
    async onError(error) {
      if (error instanceof ApiError) setFound(problemsByMember(error.message, names))
      if (isConflict(error)) await queries.invalidateQueries({ queryKey: ['firewall'] })
    },
  })
  return {
    isSaving: change.isPending,
    problems: change.error && !(change.error instanceof ApiError) ? { '': change.error.message } : found,
    isConflict: isConflict(change.error),
    done: change.data,
    save(draft) {
      change.reset()
      const problems = problemsOf(fields, draft)
      setFound(problems)
      if (Object.keys(problems).length === 0) change.mutate(bodyOf(draft))
    },
    forget(name) {
      const { [name]: _, ...others } = found
      setFound(others)
    },
  }
}

/** Another version than the one that was read: what is refused because something else holds it has another status. */
function isConflict(error: Error | null): boolean {
  return error instanceof Conflict && error.status === 412
}

function problemsOf(fields: Fields, draft: Draft): Record<string, string> {
  return Object.fromEntries(
    Object.entries(draft).flatMap(([name, { value }]) => {
      const field = fields[name]
      const problem = field && problemOf(field, value)
      return problem === undefined ? [] : [[name, problem]]
    }),
  )
}
