import { createFileRoute } from '@tanstack/react-router'
import { PublicFrame } from '@/session/public-frame'

/** Pages that links in mails lead to: for everyone, signed in or not. */
export const Route = createFileRoute('/_open')({ component: PublicFrame })
