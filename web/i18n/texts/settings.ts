import settings from '../locales/en/settings.json'
import profile from '../locales/en/profile.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the owner's settings, and those it shares with the profile.
addEnglish({ settings, profile })
