import events from '../locales/en/events.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the events screen.
addEnglish({ events })
