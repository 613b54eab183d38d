import { Button, Group, Stack } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { texts } from '../texts.ts'
import { useChange } from '../use-change.ts'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'

/** A form before the page. What the service refuses is said in it, and what was typed stays. */
export function FormDialog<Result>({
  title,
  action,
  submit,
  refresh,
  onDone,
  onClose,
  children,
}: {
  readonly title: string
  /** The words of the button: a verb and its object. */
  readonly action: string
  readonly submit: (form: FormData) => Promise<Result>
  /** Keys of the queries that show what is changed. */
  readonly refresh: readonly QueryKey[]
  /** What follows, such as a secret that is shown once; without it the form closes. */
  readonly onDone?: (result: Result) => void
  readonly onClose: () => void
  /** The fields. */
  readonly children: ReactNode
}) {
  const change = useChange(submit, { refresh, onDone: onDone ?? onClose })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    change.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {children}
          {change.error && <Failure error={change.error} title={texts.refused} />}
          <Group mt="xs">
            <Button type="submit" loading={change.isPending}>
              {action}
            </Button>
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The text of a field, without blanks around it; empty where the form has no such field. */
export function fieldText(form: FormData, name: string): string {
  return String(form.get(name) ?? '').trim()
}

/** A field as the member of a body that is called so; nothing where it is empty, so that what the service takes by itself holds. */
export function filledMember<Name extends string>(
  form: FormData,
  name: Name,
): { readonly [member in Name]?: string } {
  const text = fieldText(form, name)
  return text === '' ? {} : ({ [name]: text } as { readonly [member in Name]: string })
}

/** The texts of a field that takes several, by lines, commas or blanks; or of all boxes of a name that are ticked. */
export function fieldTexts(form: FormData, name: string): string[] {
  return form
    .getAll(name)
    .flatMap((value) => String(value).split(/[\s,]+/))
    .filter((text) => text !== '')
}
