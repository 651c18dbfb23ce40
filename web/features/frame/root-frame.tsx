import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Toaster } from 'sonner'
import { useWhitelabel } from '../../domain/session-queries.ts'
import { applyBrand } from '../../theme/brand.ts'
import { useIsDark } from '../../theme/color-scheme.ts'
import { ProgressBar } from './progress-bar.tsx'

export function RootFrame() {
  const dark = useIsDark()
  const { color } = useWhitelabel()
  useEffect(() => applyBrand(color), [color])
  return (
    <>
      <ProgressBar />
      <Outlet />
      <Toaster theme={dark ? 'dark' : 'light'} richColors duration={3000} position="bottom-center" offset={{ bottom: 72 }} />
    </>
  )
}
