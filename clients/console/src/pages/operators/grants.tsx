import { Button, Fieldset, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Fieldset.css'
import '@mantine/core/styles/Combobox.css'
import { useState } from 'react'
import type { Grant } from '../../session.ts'
import { texts as all } from './texts.ts'

const texts = all.grants
const roles = ['owner', 'operator', 'auditor'] as const
const services = ['firewall', 'awareness', 'backup', 'email'] as const
const everywhere = ''

/** What somebody may do, in words: `operator: backup of account acme`. */
export function describeGrants(grants: readonly Grant[]): string {
  return grants.length === 0 ? texts.nothing : grants.map(describeGrant).join(', ')
}

function describeGrant({ role, service, account }: Grant): string {
  const where = service === undefined ? texts.everywhere : texts.services[service]
  return `${role}: ${where}${account === undefined ? '' : ` ${texts.of} ${account}`}`
}

/** Roles as fields of a form: any number, each everywhere, in a service, or for an account. Read them with {@link readGrants}. */
export function GrantFields({ grants }: { readonly grants: readonly Grant[] }) {
  const [rows, setRows] = useState(() => grants.map((grant, key) => ({ key, grant })))
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
    setRows([...rows, { key, grant: { role: 'auditor' } }])
  }
  return (
    <Fieldset legend={texts.legend}>
      <Stack gap="md">
        {rows.map(({ key, grant }) => (
          <GrantRow key={key} grant={grant} onRemove={() => setRows(rows.filter((row) => row.key !== key))} />
        ))}
        <Group>
          <Button variant="default" size="xs" onClick={add}>
            {texts.add}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}

function GrantRow({ grant, onRemove }: { readonly grant: Grant; readonly onRemove: () => void }) {
  const [role, setRole] = useState<string>(grant.role)
  const [service, setService] = useState<string>(grant.service ?? everywhere)
  const hasAccounts = service === 'backup' || service === 'email'
  return (
    <Group align="end" gap="xs">
      <NativeSelect
        name="grant-role"
        label={texts.role}
        value={role}
        onChange={({ currentTarget }) => setRole(currentTarget.value)}
        data={roles.map((value) => ({ value, label: texts.roles[value] }))}
      />
      {/* An owner owns all of Palisade. The field stays in the form, so that rows keep their order. */}
      {role === 'owner' ? (
        <input type="hidden" name="grant-service" value={everywhere} />
      ) : (
        <NativeSelect
          name="grant-service"
          label={texts.where}
          value={service}
          onChange={({ currentTarget }) => setService(currentTarget.value)}
          data={[
            { value: everywhere, label: texts.everywhere },
            ...services.map((value) => ({ value, label: texts.services[value] })),
          ]}
        />
      )}
      {role !== 'owner' && hasAccounts ? (
        <TextInput
          name="grant-account"
          label={texts.account}
          placeholder={texts.accountHelp}
          defaultValue={grant.account}
        />
      ) : (
        <input type="hidden" name="grant-account" value="" />
      )}
      <Button variant="default" size="sm" onClick={onRemove}>
        {texts.remove}
      </Button>
    </Group>
  )
}

/** The roles of a form with {@link GrantFields}. */
export function readGrants(form: FormData): Grant[] {
  const given = form.getAll('grant-service').map(String)
  const accounts = form.getAll('grant-account').map(String)
  return form.getAll('grant-role').flatMap((name, row) => {
    const role = roles.find((one) => one === name)
    if (role === undefined) return []
    const service = services.find((one) => one === given[row])
    const account = accounts[row]?.trim()
    return [{ role, ...(service && { service }), ...(account && { account }) }]
  })
}
