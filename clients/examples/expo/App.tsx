import { useState } from 'react';
import { Button, SafeAreaView, Text } from 'react-native';
import { events } from './events';

/** A screen, a paywall, and a person who signs in and out. */
export default function App() {
  const [userId, setUserId] = useState<string | null>(null);
  const signIn = (id: string | null) => {
    setUserId(id);
    events.identify(id);
    if (id) events.track('signup_completed');
  };
  return (
    <SafeAreaView>
      <Text>{userId ?? 'Nobody is signed in.'}</Text>
      <Button title="Sign in" onPress={() => signIn('user-8271')} />
      <Button title="Sign out" onPress={() => signIn(null)} />
      <Button
        title="Show the paywall"
        onPress={() => events.track('paywall_viewed', { plan: 'yearly', price: 29.5 })}
      />
      <Button title="Send no more" onPress={() => events.optOut()} />
    </SafeAreaView>
  );
}
