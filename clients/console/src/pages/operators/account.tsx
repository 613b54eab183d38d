import { Button, Loader, PasswordInput } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.css'
import { answer, shellWord } from '@palisade/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { Factors } from './factors.tsx'
import { OperatorFacts } from './operator-facts.tsx'
import { Sessions } from './sessions.tsx'
import { texts as all } from './texts.ts'
import { Tokens } from './tokens.tsx'

const texts = all.account

/** What everybody does with his own account. */
export function AccountPage() {
  const { administration, username } = useSession()
  const [isChanging, setChanging] = useState(false)
  const path = { operator: username }
  const own = useQuery({
    queryKey: ['operators', username, 'own'],
    queryFn: () => answer(administration.GET('/operators/{operator}', { params: { path } })),
  })
  if (own.isError) return <Failure error={own.error} tryAgain={() => void own.refetch()} />
  if (!own.data) return <Loader aria-label={shared.loading} />
  return (
    <>
      <PageHead title={texts.title}>
        {own.data.hasPassword && own.data.managedBy === null && (
          <Button variant="default" aria-haspopup="dialog" onClick={() => setChanging(true)}>
            {texts.changePassword}
          </Button>
        )}
      </PageHead>
      <section className="card">
        <OperatorFacts operator={own.data} />
      </section>
      <Factors operator={own.data} />
      <Sessions operator={username} mayEnd />
      <Tokens operator={username} mayChange />
      <SameCall
        palisade={`palisade operators show ${shellWord(username)}`}
        path={`/admin/v1/operators/${encodeURIComponent(username)}`}
      />
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
    </>
  )
}

function ChangePassword({ onClose }: { readonly onClose: () => void }) {
  const { administration, username } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const change = (form: FormData) => {
    const [currentPassword, newPassword] = ['currentPassword', 'newPassword'].map((name) =>
      String(form.get(name)),
    )
    return answer(
      administration.POST('/operators/{operator}/password', {
        params: { path: { operator: username } },
        body: { currentPassword: currentPassword ?? '', newPassword: newPassword ?? '' },
      }),
    )
  }
  return (
    <FormDialog
      title={texts.changePassword}
      action={texts.passwordChanged}
      submit={change}
      refresh={[]}
      onDone={() => {
        queries.clear()
        void navigate({ to: '/sign-in' })
      }}
      onClose={onClose}
    >
      <p className="quiet">{texts.passwordHelp}</p>
      <PasswordInput
        name="currentPassword"
        label={texts.currentPassword}
        autoComplete="current-password"
        required
      />
      <PasswordInput
        name="newPassword"
        label={texts.newPassword}
        description={texts.newPasswordHelp}
        autoComplete="new-password"
        minLength={12}
        required
      />
    </FormDialog>
  )
}
