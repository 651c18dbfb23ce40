import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { removePicture } from '#contract/profile'
import { PersonAvatar } from '@/session/person-avatar'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { useMe } from '@/session/session-queries'
import { SettingsSection } from '@/components/settings-section'

const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

/** Bytes that the server accepts for a picture. */
const MOST_BYTES = 500_000
const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif'

/** The user's picture: chosen, cropped to a square, replaced or removed. */
export function PictureSection() {
  const { t } = useTranslation('profile')
  const me = useMe()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<{ readonly file: File; readonly url: string } | null>(null)
  const remove = useMutation({
    meta: { invalidates: [['session', 'me']] },
    mutationFn: () => call(removePicture),
    onSuccess: () => toast.success(t('saved')),
  })
  const choose = (file: File | undefined) => {
    if (file === undefined) return
    if (file.size >= MOST_BYTES) return toast.error(t('picture.tooBig'))
    setChosen({ file, url: URL.createObjectURL(file) })
  }
  const close = () => {
    if (chosen !== null) URL.revokeObjectURL(chosen.url)
    setChosen(null)
  }
  return (
    <SettingsSection title={t('picture.title')} text={t('picture.text')}>
      <div className="flex flex-wrap items-center gap-4">
        <PersonAvatar name={me.name} pictureId={me.profile_image?.picture_id ?? null} className="size-16 text-lg" />
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => input.current?.click()}>
            {t(me.profile_image === null ? 'picture.choose' : 'picture.replace')}
          </Button>
          {me.profile_image !== null && (
            <Button variant="ghost" disabled={remove.isPending} onClick={() => remove.mutate()}>
              {t('picture.remove')}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept={ACCEPTED}
          aria-label={t('picture.choose')}
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            choose(target.files?.[0])
            // The same file can be chosen again.
            target.value = ''
          }}
        />
      </div>
      <Suspense>{chosen !== null && <CropDialog {...chosen} onClose={close} />}</Suspense>
    </SettingsSection>
  )
}
