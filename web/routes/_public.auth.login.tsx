import { createFileRoute } from '@tanstack/react-router'
import { SignInPage } from '@/session/sign-in-page'
import { signInSearch } from '@/session/sign-in-search'

export const Route = createFileRoute('/_public/auth/login')({ validateSearch: signInSearch, component: SignInPage })
