import { createFileRoute } from '@tanstack/react-router'
import { ConfirmRegistrationPage } from '@/features/registration/confirm-registration-page'
import { keySearch } from '@/features/registration/key-search'

export const Route = createFileRoute('/_open/auth/confirm-registration/{-$token}')({
  validateSearch: keySearch,
  component: ConfirmRoute,
})

function ConfirmRoute() {
  const { token } = Route.useParams()
  const search = Route.useSearch()
  return <ConfirmRegistrationPage token={token ?? search.token ?? search.key ?? ''} />
}
