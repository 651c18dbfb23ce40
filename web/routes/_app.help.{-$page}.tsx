import { createFileRoute } from '@tanstack/react-router'
import { HelpCenter } from '@/features/help/help-page'

export const Route = createFileRoute('/_app/help/{-$page}')({ component: HelpCenter })
