import { createFileRoute } from '@tanstack/react-router'
import { SignInPage } from '../features/session/sign-in-page.tsx'
import { signInSearch } from '../features/session/sign-in-search.ts'

export const Route = createFileRoute('/_public/auth/login')({ validateSearch: signInSearch, component: SignInPage })
