import AsyncStorage from '@react-native-async-storage/async-storage';
import NetInfo from '@react-native-community/netinfo';
import { createClient } from 'control-plane-web/react-native';
import Constants from 'expo-constants';
import { randomUUID } from 'expo-crypto';
import { AppState, Platform } from 'react-native';

/** One for the whole app, outside of components. */
export const events = createClient({
  key: process.env.EXPO_PUBLIC_SERVICE_KEY ?? '',
  url: process.env.EXPO_PUBLIC_SERVICE_URL ?? '',
  appVersion: Constants.expoConfig?.version,
  platform: Platform.OS,
  osVersion: String(Platform.Version),
  storage: AsyncStorage,
  appState: AppState,
  netInfo: NetInfo,
  newId: randomUUID,
  debug: true,
});

events.track('app_opened');
