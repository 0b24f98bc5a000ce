// Sends two events of each person by PostHog's client for Go.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/posthog/posthog-go"
)

// The client gives up after ten tries.
type pending struct{ sync.WaitGroup }

func (left *pending) Success(posthog.APIMessage) { left.Done() }
func (left *pending) Failure(_ posthog.APIMessage, err error) {
	log.Fatal(err)
}

func main() {
	host, key := os.Args[1], os.Args[2]
	people, _ := strconv.Atoi(os.Args[3])
	begin, _ := time.Parse(time.RFC3339, os.Args[4])
	left := &pending{}
	client, err := posthog.NewWithConfig(key, posthog.Config{
		Endpoint:   host + "/v1/posthog",
		BatchSize:  50,
		Interval:   200 * time.Millisecond,
		RetryAfter: func(int) time.Duration { return 6 * time.Second },
		Callback:   left,
	})
	if err != nil {
		log.Fatal(err)
	}
	capture := func(event string, person int, at time.Time, own posthog.Properties) {
		left.Add(1)
		properties := posthog.NewProperties().
			Set("$os_name", "iOS").Set("$os_version", "18.1").Set("$app_version", "1.4.0").
			Set("$locale", "de-DE").Set("$geoip_country_code", "DE").
			Set("$device_id", fmt.Sprintf("device-%04d", person)).Merge(own)
		user := fmt.Sprintf("user-%d", person)
		client.Enqueue(posthog.Capture{DistinctId: user, Event: event, Timestamp: at, Properties: properties})
	}
	for person := 0; person < people; person++ {
		at := begin.Add(time.Duration(person) * time.Second)
		capture("Application Opened", person, at, posthog.Properties{"from": "push", "person": person})
		bought := posthog.Properties{"plan": "year", "items": []string{"a"}}
		capture("Purchase Completed", person, at.Add(time.Minute), bought)
		if person%25 == 24 {
			left.Wait()
			fmt.Println(person + 1)
		}
	}
	client.Close()
}
