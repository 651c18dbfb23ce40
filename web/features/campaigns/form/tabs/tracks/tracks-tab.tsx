import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { useCampaignForm, useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { lengthText } from '@/features/campaigns/creatives/media-facts'
import { AudioPreview } from '@/features/campaigns/creatives/preview-audio'
import { PhoneFrame } from '@/features/campaigns/creatives/preview-frame'
import { PLACE } from '@/features/campaigns/form/creatives/places'
import { Split } from '@/features/campaigns/form/creatives/split'
import { FormSection } from '../form-section.tsx'
import { TrackCard } from './track-card.tsx'
import { TrackDrop } from './track-drop.tsx'
import { MAX_TRACKS, type TrackValue } from './tracks-slice.ts'

export default function TracksTab() {
  const { t } = useTranslation('creatives')
  const { campaign, readOnly } = useFormBase()
  const form = useCampaignForm()
  const { getValues, setValue } = form
  const tracks = useFormValue('tracks.tracks')
  const keptFocus = useKeptFocus<HTMLElement>()
  const [lengths, setLengths] = useState<Readonly<Record<string, number | null>>>({})
  // Read when an upload ends: other tracks may have been removed in the meantime.
  const change = (next: (known: readonly TrackValue[]) => readonly TrackValue[]) =>
    setValue('tracks.tracks', [...next(getValues('tracks.tracks'))], { shouldDirty: true, shouldValidate: true })
  const [first] = tracks
  const firstLength = first === undefined ? null : (lengths[first.fileId] ?? null)
  return (
    <Split
      preview={
        <PhoneFrame>
          <AudioPreview
            name={first?.name ?? t('tracks.track')}
            length={firstLength === null ? '' : lengthText(firstLength)}
            label={`${t('tracks.sound')} · ${t('sponsored')}`}
          />
        </PhoneFrame>
      }
    >
      {!readOnly && (
        <FormSection title={t('tracks.title')} lead={t('tracks.lead')}>
          <TrackDrop
            full={tracks.length >= MAX_TRACKS}
            onUploaded={(file) => {
              setLengths((known) => ({ ...known, [file.file_id]: file.duration }))
              PLACE.track.put(form, file)
            }}
          />
        </FormSection>
      )}
      <section {...keptFocus} tabIndex={-1} aria-label={t('tracks.list')} className="flex flex-col gap-3">
        {tracks.length === 0 && (
          <p className="text-muted-foreground border-border rounded-lg border border-dashed py-10 text-center">
            {t('tracks.none')}
          </p>
        )}
        {tracks.map((track, index) => (
          <TrackCard
            key={`${track.id ?? ''}${track.fileId}`}
            index={index}
            track={track}
            seconds={lengths[track.fileId] ?? null}
            onLength={(seconds) => setLengths((known) => ({ ...known, [track.fileId]: known[track.fileId] ?? seconds }))}
            decision={campaign?.audio_ads.find(({ id }) => id === track.id)?.creativeServingDecision}
            onRemove={() => change((known) => known.filter((_, place) => place !== index))}
          />
        ))}
      </section>
    </Split>
  )
}
