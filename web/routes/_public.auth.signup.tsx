import { createFileRoute } from '@tanstack/react-router'
import { SignUpPage } from '@/features/registration/sign-up-page'

export const Route = createFileRoute('/_public/auth/signup')({ component: SignUpPage })
