import { Loader } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { encode } from 'uqr'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { FormDialog, fieldText } from '../../components/form-dialog.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { CodeField } from './code-field.tsx'
import { texts as all } from './texts.ts'

const texts = all.factors

/** Sets an authenticator app up: its secret as a picture, then a code that shows that the app has it. */
export function AuthenticatorDialog({ onClose }: { readonly onClose: () => void }) {
  const { administration, username } = useSession()
  const path = { operator: username }
  const begun = useQuery({
    queryKey: ['totp', username],
    // Each call makes another secret.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => answer(administration.POST('/operators/{operator}/totp', { params: { path } })),
  })
  if (!begun.data) {
    return (
      <Dialog title={texts.begin} onClose={onClose}>
        {begun.error ? <Failure error={begun.error} /> : <Loader aria-label={shared.loading} />}
      </Dialog>
    )
  }
  const confirm = (form: FormData) =>
    answer(
      administration.POST('/operators/{operator}/totp-confirm', {
        params: { path },
        body: { code: fieldText(form, 'code') },
      }),
    )
  return (
    <FormDialog
      title={texts.begin}
      action={texts.confirm}
      submit={confirm}
      refresh={[['operators', username]]}
      onClose={onClose}
    >
      <p>{texts.scan}</p>
      <QrCode text={begun.data.address} label={texts.qr} />
      <details>
        <summary>{texts.bySecret}</summary>
        <code className="command">{begun.data.secret}</code>
      </details>
      <CodeField />
    </FormDialog>
  )
}

/** A text as a QR code, dark on light in either scheme, so that every camera reads it. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width="208" height="208" role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
