import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '@/components/page/not-found'

export const Route = createFileRoute('/_app/not-found')({ component: NotFound })
