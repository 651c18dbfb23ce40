import { createFileRoute, redirect } from '@tanstack/react-router'
import { CustomizationPage } from '@/features/customization/customization-page'
import { customizationSearch } from '@/features/customization/customization-search'
import { can } from '@/session/can'

export const Route = createFileRoute('/_app/admin/customization')({
  validateSearch: customizationSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'whitelabel.customise')) throw redirect({ to: '/', replace: true })
  },
  component: CustomizationPage,
})
