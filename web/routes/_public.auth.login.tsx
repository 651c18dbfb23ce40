import { createFileRoute } from '@tanstack/react-router'
import { SignInPage } from '../features/session/sign-in-page.tsx'

export const Route = createFileRoute('/_public/auth/login')({ component: SignInPage })
