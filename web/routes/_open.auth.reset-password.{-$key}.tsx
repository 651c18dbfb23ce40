import { createFileRoute } from '@tanstack/react-router'
import { keySearch } from '@/features/registration/key-search'
import { ResetPasswordPage } from '@/features/registration/reset-password-page'

export const Route = createFileRoute('/_open/auth/reset-password/{-$key}')({ validateSearch: keySearch, component: ResetRoute })

function ResetRoute() {
  const { key } = Route.useParams()
  const search = Route.useSearch()
  return <ResetPasswordPage keyText={key ?? search.key ?? search.token ?? ''} />
}
