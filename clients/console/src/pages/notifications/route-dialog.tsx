import { Fieldset, Group, NumberInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/Fieldset.css'
import { answer } from '@palisade/sdk'
import { AdministeredItem } from '../../administered-item.ts'
import { Choices } from '../../components/choices.tsx'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import type { Route } from './notification-routes.tsx'
import { texts as all } from './texts.ts'

const texts = all.routes
const severities = ['critical', 'warning', 'info'] as const
const services = Object.entries(all.services)

/** Adds a route, or changes one. */
export function RouteDialog({
  route,
  channels,
  onClose,
}: {
  readonly route?: Route
  readonly channels: readonly string[]
  readonly onClose: () => void
}) {
  const session = useSession()
  const save = async (form: FormData) => {
    const body = readRoute(form)
    if (route === undefined) {
      const { severities: some, services: of, quietHours, ...always } = body
      const given = {
        ...always,
        ...(some && { severities: some }),
        ...(of && { services: of }),
        ...(quietHours && { quietHours }),
      }
      return answer(session.administration.POST('/routes', { body: given }))
    }
    const item = new AdministeredItem<Route>(session, 'routes', route.id)
    return item.change(body, (await item.read()).tag)
  }
  const { quietHours } = route ?? {}
  return (
    <FormDialog
      title={route ? texts.changeTitle : texts.createTitle}
      action={route ? shared.save : texts.create}
      submit={save}
      refresh={[['routes']]}
      onClose={onClose}
    >
      <Choices
        legend={texts.channels}
        name="channels"
        options={channels.map((name) => [name, name] as const)}
        chosen={route?.channels ?? (channels.length === 1 ? channels : [])}
      />
      <p className="quiet">{texts.severitiesHelp}</p>
      <Choices
        legend={texts.severities}
        name="severities"
        options={severities.map((severity) => [severity, all.severities[severity]] as const)}
        chosen={route?.severities ?? []}
      />
      <Choices legend={texts.services} name="services" options={services} chosen={route?.services ?? []} />
      <NumberInput
        name="groupSeconds"
        label={texts.group}
        description={texts.groupHelp}
        defaultValue={route?.groupSeconds ?? 30}
        min={0}
        hideControls
        required
      />
      <Fieldset legend={texts.quiet}>
        <p className="quiet">{texts.quietHelp}</p>
        <Group grow align="end">
          <TextInput name="quietFrom" type="time" label={texts.quietFrom} defaultValue={quietHours?.from} />
          <TextInput name="quietTo" type="time" label={texts.quietTo} defaultValue={quietHours?.to} />
        </Group>
        <TextInput
          name="timeZone"
          label={texts.timeZone}
          defaultValue={quietHours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
        />
      </Fieldset>
    </FormDialog>
  )
}

/** What the form says; null for what is not limited. */
function readRoute(form: FormData) {
  const ticked = (name: string) => form.getAll(name).map(String)
  const some = severities.filter((severity) => ticked('severities').includes(severity))
  const of = ticked('services')
  const [from, to] = [fieldText(form, 'quietFrom'), fieldText(form, 'quietTo')]
  const isQuiet = from !== '' || to !== ''
  return {
    channels: ticked('channels'),
    severities: some.length === 0 ? null : some,
    services: of.length === 0 ? null : of,
    groupSeconds: Number(fieldText(form, 'groupSeconds')),
    quietHours: isQuiet ? { from, to, timeZone: fieldText(form, 'timeZone') } : null,
  }
}
