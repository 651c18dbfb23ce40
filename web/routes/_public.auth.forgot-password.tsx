import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '@/features/registration/forgot-password-page'

export const Route = createFileRoute('/_public/auth/forgot-password')({ component: ForgotPasswordPage })
