import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useAppliedBrand } from '@/session/session-queries'
import { whenIdle } from '@/lib/when-idle'
import { toasts } from '@/lib/toast'
import { stepUp } from '@/data/step-up'
import { signInAgain } from '@/session/session-end'
import { switchReason } from '@/session/switch-reason'
import { ProgressBar } from './progress-bar.tsx'

const SignInAgain = lazy(async () => ({ default: (await import('@/session/sign-in-again')).SignInAgain }))
const StepUpDialog = lazy(async () => ({ default: (await import('@/session/step-up-dialog')).StepUpDialog }))
const SwitchReasonDialog = lazy(async () => ({
  default: (await import('@/session/switch-reason-dialog')).SwitchReasonDialog,
}))
const loadToaster = () => import('./toaster.tsx')
const Toaster = lazy(async () => ({ default: (await loadToaster()).Toaster }))

export function RootFrame() {
  useAppliedBrand()
  return (
    <>
      <ProgressBar />
      <Outlet />
      <Messages />
      <SessionEnded />
      <ProofAsked />
      <SwitchReasonAsked />
    </>
  )
}

function SessionEnded() {
  const asked = useSyncExternalStore(signInAgain.subscribe, signInAgain.asked)
  return (
    asked && (
      <Suspense>
        <SignInAgain />
      </Suspense>
    )
  )
}

function ProofAsked() {
  const asked = useSyncExternalStore(stepUp.subscribe, stepUp.asked)
  return (
    asked !== null && (
      <Suspense>
        <StepUpDialog asked={asked} />
      </Suspense>
    )
  )
}

function SwitchReasonAsked() {
  const asked = useSyncExternalStore(switchReason.subscribe, switchReason.asked)
  return (
    asked && (
      <Suspense>
        <SwitchReasonDialog />
      </Suspense>
    )
  )
}

function Messages() {
  const wanted = useSyncExternalStore(toasts.subscribe, toasts.wanted)
  const [drawn, setDrawn] = useState(false)
  // Load the toaster early: without a connection, the "offline" message could not load it.
  useEffect(() => whenIdle(() => void loadToaster().catch(() => undefined)), [])
  // More messages are likely after the first, so the toaster stays mounted.
  if (wanted && !drawn) setDrawn(true)
  return (
    drawn && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  )
}
