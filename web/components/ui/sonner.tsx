import { Toaster as Sonner, type ToasterProps } from 'sonner'
import { useIsDark } from '@/theme/color-scheme'

/** Renders `sonner` messages in the colour scheme of the page. */
function Toaster(props: ToasterProps) {
  const dark = useIsDark()
  return <Sonner theme={dark ? 'dark' : 'light'} className="toaster group" {...props} />
}

export { Toaster }
