import { Button, Group, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.css'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useState } from 'react'
import { AdministeredItem } from '../../administered-item.ts'
import { Choices } from '../../components/choices.tsx'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { Listing } from '../../components/listing.tsx'
import { Managed } from '../../components/managed.tsx'
import { Remove } from '../../components/remove.tsx'
import { pageQuery } from '../../read-all.ts'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.access
const permissions = ['campaigns', 'results'] as const
const refresh = [['awareness-users']]

type User = AdministrationSchemas['schemas']['AwarenessUser']

/** The users of the awareness service's own API. */
export function AwarenessUsers() {
  const session = useSession()
  const [asked, setAsked] = useState<User | 'new'>()
  const isAllowed = mayChange(session, 'awareness')
  const actions = (user: User) =>
    user.managedBy === null && isAllowed ? (
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          aria-haspopup="dialog"
          onClick={() => setAsked(user)}
          aria-label={`${texts.change}: ${user.username}`}
        >
          {texts.change}
        </Button>
        <Remove
          item={new AdministeredItem(session, 'awareness', 'users', user.username)}
          action={texts.remove}
          title={`${texts.removeUser} ${user.username}`}
          refresh={refresh}
        />
      </Group>
    ) : (
      <Managed by={user.managedBy} />
    )
  return (
    <>
      <div className="page-head">
        <h2 className="section-title">{texts.users}</h2>
        {isAllowed && (
          <Button variant="default" mt="lg" aria-haspopup="dialog" onClick={() => setAsked('new')}>
            {texts.createUser}
          </Button>
        )}
      </div>
      <Listing
        title={texts.users}
        name={['awareness-users']}
        read={(after) =>
          answer(session.administration.GET('/awareness/users', { params: { query: pageQuery(after) } }))
        }
        idOf={({ username }) => username}
        columns={[
          [texts.username, ({ username }) => username],
          [texts.permissions, ({ permissions: some }) => some.join(', ') || texts.nothing],
          [texts.actions, actions],
        ]}
      />
      {asked !== undefined && (
        <UserDialog user={asked === 'new' ? undefined : asked} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

function UserDialog({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  const session = useSession()
  const save = async (form: FormData) => {
    const password = String(form.get('password') ?? '')
    const chosen = permissions.filter((permission) => form.getAll('permissions').includes(permission))
    if (user === undefined) {
      const body = { username: fieldText(form, 'username'), password, permissions: chosen }
      return answer(session.administration.POST('/awareness/users', { body }))
    }
    const item = new AdministeredItem<User>(session, 'awareness', 'users', user.username)
    const { tag } = await item.read()
    return item.change({ permissions: chosen, ...(password === '' ? {} : { password }) }, tag)
  }
  return (
    <FormDialog
      title={user ? `${texts.changeUser} ${user.username}` : texts.createUserTitle}
      action={user ? shared.save : texts.createUser}
      submit={save}
      refresh={refresh}
      onClose={onClose}
    >
      {user === undefined && <TextInput name="username" label={texts.username} required autoComplete="off" />}
      <PasswordInput
        name="password"
        label={user ? texts.newPassword : texts.password}
        description={user && texts.keepPassword}
        required={user === undefined}
        autoComplete="new-password"
      />
      <Choices
        legend={texts.permissions}
        name="permissions"
        options={permissions.map((value) => [value, texts.permissionNames[value]] as const)}
        chosen={user?.permissions ?? permissions}
      />
    </FormDialog>
  )
}
