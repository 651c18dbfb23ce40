import { createFileRoute, redirect } from '@tanstack/react-router'
import { can, useCan } from '@/session/can'
import { RegistrantPage } from '@/features/registration/registrant-page'

export const Route = createFileRoute('/_app/admin/moderate/user/$id')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'registration.decide')) throw redirect({ to: '/', replace: true })
  },
  component: RegistrantRoute,
})

function RegistrantRoute() {
  const { id } = Route.useParams()
  return <RegistrantPage key={id} id={id} mayResend={useCan()('account.add')} />
}
